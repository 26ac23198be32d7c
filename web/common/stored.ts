import { createObservable, type Observable } from './observable.js';

type Place = 'localStorage' | 'sessionStorage';

/** An observable that survives a reload, and in localStorage is the same in all tabs. */
export function createStored<T>(name: string, initial: T, place: Place = 'localStorage'): Observable<T> {
  const value = createObservable(parse(read(place, name), initial));
  // Fires in the other tabs only.
  addEventListener('storage', ({ key, newValue, storageArea }) => {
    if (key === name && storageArea === globalThis[place]) value.set(parse(newValue, initial));
  });
  return {
    ...value,
    set: (next) => {
      write(place, name, JSON.stringify(next));
      value.set(next);
    },
  };
}

function parse<T>(text: string | null, initial: T): T {
  if (text === null) return initial;
  try {
    return JSON.parse(text) as T;
  } catch {
    return initial;
  }
}

/** Private windows may have no storage: the page then works as long as it is open. */
function read(place: Place, name: string): string | null {
  try {
    return globalThis[place].getItem(name);
  } catch {
    return null;
  }
}

function write(place: Place, name: string, text: string): void {
  try {
    globalThis[place].setItem(name, text);
  } catch {
    return;
  }
}
