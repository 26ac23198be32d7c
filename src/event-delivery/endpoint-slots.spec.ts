import { EndpointSlots } from './endpoint-slots.js';

describe('the slots of an endpoint', () => {
  let time = 0;
  let slots: EndpointSlots;
  beforeEach(() => {
    time = 1_000;
    slots = new EndpointSlots(() => time);
    for (let n = 0; n < 20; n += 1) expect(slots.take('busy')).toBe(0);
  });
  const crowd = () => Array.from({ length: 5_000 }, () => slots.take('busy'));
  const attempts = (count: number, ms: number) => {
    for (let n = 0; n < count; n += 1) {
      slots.release('busy', ms);
      slots.take('busy');
    }
  };

  it('are limited for each endpoint by itself, and come back', () => {
    expect(slots.take('busy')).toBeGreaterThan(0);
    expect(slots.take('other')).toBe(0);
    slots.release('busy', 10);
    expect(slots.take('busy')).toBe(0);
    expect(slots.take('busy')).toBeGreaterThan(0);
  });

  it('let a crowd come back in a line, a hundred a second where no answer comes', () => {
    attempts(100, 60_000);
    const delays = crowd();
    expect(delays[0]).toBe(500);
    expect(delays[100]).toBe(1_500);
    expect(delays.at(-1)).toBe(500 + 4_999 * 10);
  });

  it('let it come back as fast as the endpoint answers', () => {
    attempts(100, 50);
    expect(crowd().at(-1)).toBe(Math.ceil(500 + 4_999 * 2.5));
    attempts(100, 0.1);
    time += 60_000;
    expect(crowd().at(-1)).toBe(500 + 4_999);
  });

  it('begin a new line when the old one is over', () => {
    crowd();
    time += 60_000;
    expect(slots.take('busy')).toBe(500);
  });
});
