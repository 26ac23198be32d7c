import fc from 'fast-check';
import { LocalQueue, Ticket } from './local-queue.js';

const ticket = (order: number, ...keys: string[]) => new Ticket(keys, 1_000, order);

describe('LocalQueue', () => {
  it('serves a key in the order of arrival', () => {
    const queue = new LocalQueue();
    const [first, second, third] = [ticket(1, 'a'), ticket(2, 'a'), ticket(3, 'a')];
    expect([first, second, third].map((each) => queue.enter(each))).toEqual([true, false, false]);
    expect(queue.waitersOf('a')).toBe(2);
    queue.leave(second);
    queue.leave(first);
    expect(third.state).toBe('active');
    queue.leave(third);
    expect(queue.size).toBe(0);
  });

  it('gives a request for several keys its turn when it is first at all of them', () => {
    const queue = new LocalQueue();
    const [a, b, both] = [ticket(1, 'a'), ticket(2, 'b'), ticket(3, 'a', 'b')];
    for (const each of [a, b, both]) queue.enter(each);
    queue.leave(a);
    expect(both.state).toBe('waiting');
    queue.leave(b);
    expect(both.state).toBe('active');
  });

  it('lets others pass at the free keys of a request that waits for a key held elsewhere', () => {
    const queue = new LocalQueue();
    const [both, onlyA, next] = [ticket(1, 'a', 'b'), ticket(2, 'a'), ticket(3, 'a')];
    queue.enter(both);
    queue.park(both, ['b']);
    expect(queue.enter(onlyA)).toBe(true);
    expect(queue.enter(next)).toBe(false);
    expect(queue.resume(both)).toBe(false);
    queue.leave(onlyA);
    expect([both.state, next.state]).toEqual(['active', 'waiting']);
  });

  it('names a successor only if it wants exactly the same keys and is next at all of them', () => {
    const queue = new LocalQueue();
    const [served, next] = [ticket(1, 'a', 'b'), ticket(2, 'a', 'b')];
    queue.enter(served);
    queue.enter(next);
    expect(queue.successorOf(served)).toBe(next);
    const other = new LocalQueue();
    const [first, second, third] = [ticket(1, 'a', 'b'), ticket(2, 'b'), ticket(3, 'a', 'b')];
    for (const each of [first, second, third]) other.enter(each);
    expect(other.successorOf(first)).toBeUndefined();
  });

  it('never serves two requests for one key, serves everyone, and forgets them', () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });
    const moves = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(keys, { minLength: 1, maxLength: 6 }), moves, (requests, choices) => {
        const queue = new LocalQueue();
        const tickets = requests.map((wanted, index) => ticket(index, ...wanted.sort()));
        const parked = new Set<Ticket>();
        let open = [...tickets];
        for (const each of tickets) queue.enter(each);
        for (const choice of choices) {
          const active = open.filter((each) => each.state === 'active');
          const served = active.flatMap((each) => each.keys);
          expect(new Set(served).size).toBe(served.length);
          const movable = open.filter((each) => each.state === 'active' || parked.has(each));
          if (open.length === 0) break;
          // Somebody can always move: nobody waits in a circle.
          expect(movable.length).toBeGreaterThan(0);
          const mover = movable[choice % movable.length]!;
          if (parked.delete(mover)) queue.resume(mover);
          else if (choice % 3 === 0 && mover.keys.length > 1) {
            queue.park(mover, mover.keys.slice(0, 1));
            parked.add(mover);
          } else {
            queue.leave(mover);
            open = open.filter((each) => each !== mover);
          }
        }
        for (const each of open) queue.leave(each);
        expect(queue.size).toBe(0);
      }),
    );
  });
});
