import { deferred } from '../../common/deferred.js';
import type { Lease } from '../../lock/lease.js';

/**
 * Takes the locks of the next calls together while the transaction before them commits; otherwise every checkout would
 * wait for one more round trip. They are released when all members have left, after their call or because they make
 * none.
 */
export class CallLock {
  readonly granted: Promise<Lease>;
  private readonly members: Set<object>;
  private readonly over = deferred<undefined>();

  constructor(members: readonly object[], withLock: (work: (lease: Lease) => Promise<unknown>) => Promise<unknown>) {
    this.members = new Set(members);
    const granted = deferred<Lease>();
    granted.promise.catch(() => undefined); // the caller of `granted` gets it
    this.granted = granted.promise;
    withLock((lease) => {
      granted.resolve(lease);
      return this.over.promise;
    }).catch(granted.reject);
  }

  leave(member: object): void {
    if (this.members.delete(member) && this.members.size === 0) this.over.resolve(undefined);
  }
}
