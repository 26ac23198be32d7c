import { StreamPlaces } from './stream-places.js';

const LIMITS = { total: 6, perSubject: 2, perCaller: 3 };

describe('StreamPlaces', () => {
  it('refuses what is full, and only that', () => {
    const places = new StreamPlaces(LIMITS);
    const take = (subject: string, caller: string) => {
      const place = places.take(subject, caller);
      return typeof place === 'string' ? place : 'taken';
    };
    expect(['a', 'a', 'a'].map((subject) => take(subject, 'one'))).toEqual(['taken', 'taken', 'subject']);
    expect(['b', 'b', 'c'].map((subject) => take(subject, 'one'))).toEqual(['taken', 'caller', 'caller']);
    expect(take('a', 'two')).toBe('subject');
    expect(['b', 'c', 'c', 'd'].map((subject) => take(subject, 'two'))).toEqual(['taken', 'taken', 'taken', 'caller']);
    expect(take('d', 'three')).toBe('total');
    expect(places.taken).toBe(6);
  });

  it('takes a place back once', () => {
    const places = new StreamPlaces({ ...LIMITS, perSubject: 1 });
    const release = places.take('a', 'one') as () => void;
    expect(places.take('a', 'two')).toBe('subject');
    release();
    release();
    expect(places.taken).toBe(0);
    expect(places.take('a', 'two')).toBeInstanceOf(Function);
  });
});
