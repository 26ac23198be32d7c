import { Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { SagaEngine } from '../../saga/engine/saga-engine.service.js';
import { startOnce } from '../../saga/start-once.js';
import type { ClosingData } from './claim-authorization.step.js';
import { CloseAuthorizationSaga } from './close-authorization.saga.js';

/** Closes authorisations, at most once each, however often their end is noticed. */
@Injectable()
export class AuthorizationCloser {
  constructor(
    private readonly engine: SagaEngine,
    private readonly saga: CloseAuthorizationSaga,
  ) {}

  /** Resolves when the saga is stored, or there is nothing to close. From then on any instance finishes it. */
  close(
    orderId: string,
    cause: ClosingData['cause'],
    source: ClosingData['source'],
  ): Promise<{ ended: Promise<void> }> {
    return startOnce<ClosingData>(this.engine, this.saga, { sagaId: newId(), orderId, cause, source });
  }
}
