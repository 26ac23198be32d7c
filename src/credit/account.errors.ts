import { DomainError } from '../common/domain-error.js';

/** Also for callers who are not allowed to know that it exists. */
export class AccountNotFoundError extends DomainError {
  constructor() {
    super('ACCOUNT_NOT_FOUND', 'There is no such account, or it is not yours to spend');
  }
}
