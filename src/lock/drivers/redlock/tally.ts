import { messageOf } from '../../../common/error-message.js';

/** Thrown when so many nodes failed that the rest cannot make a quorum. */
export class QuorumUnavailableError extends Error {
  constructor(failed: number, nodes: number, cause: unknown) {
    super(`${failed} of ${nodes} lock nodes failed, the last one with: ${messageOf(cause)}`, { cause });
    this.name = 'QuorumUnavailableError';
  }
}

/**
 * The votes so far, as soon as they decide: a quorum in favour, or so many others that there can be none. Settles at
 * the latest when all votes are in, so it cannot hang on a tie, and it does not wait for a node that is slow.
 */
export function tally<V>(votes: readonly Promise<V>[], quorum: number, isFor: (vote: V) => boolean): Promise<V[]> {
  return new Promise((resolve, reject) => {
    const cast: V[] = [];
    let inFavour = 0;
    let failed = 0;
    const decide = (failure?: unknown) => {
      const against = cast.length - inFavour;
      if (inFavour >= quorum) resolve(cast);
      else if (failed > votes.length - quorum) reject(new QuorumUnavailableError(failed, votes.length, failure));
      else if (against + failed > votes.length - quorum) resolve(cast);
    };
    for (const vote of votes) {
      vote.then(
        (value) => {
          cast.push(value);
          if (isFor(value)) inFavour += 1;
          decide();
        },
        (error: unknown) => {
          failed += 1;
          decide(error);
        },
      );
    }
  });
}
