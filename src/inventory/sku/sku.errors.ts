import { DomainError } from '../../common/domain-error.js';

export class SkuNotFoundError extends DomainError {
  constructor(skus: readonly string[]) {
    super('SKU_NOT_FOUND', `There is no ${skus.slice(0, 5).join(', ')}`, { skus });
  }
}
