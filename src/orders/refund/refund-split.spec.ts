import { splitRefund, spreadOver } from './refund-split.js';

describe('splitRefund', () => {
  it('pays the card back first', () => {
    expect(splitRefund(300, { card: 500, credit: 200 })).toEqual({ card: 300, credit: 0 });
    expect(splitRefund(600, { card: 500, credit: 200 })).toEqual({ card: 500, credit: 100 });
    expect(splitRefund(100, { card: 0, credit: 200 })).toEqual({ card: 0, credit: 100 });
  });

  it('pays back all that is left unless told how much', () => {
    expect(splitRefund(null, { card: 500, credit: 200 })).toEqual({ card: 500, credit: 200 });
  });

  it('pays back no more than is left, and not nothing', () => {
    expect(splitRefund(701, { card: 500, credit: 200 })).toBeUndefined();
    expect(splitRefund(null, { card: 0, credit: 0 })).toBeUndefined();
  });
});

describe('spreadOver', () => {
  it('fills one account after the other', () => {
    const [a, b, c] = [{ left: 100 }, { left: 0 }, { left: 50 }];
    expect(spreadOver(120, [a, b, c])).toEqual([
      [a, 100],
      [c, 20],
    ]);
    expect(spreadOver(40, [a, b, c])).toEqual([[a, 40]]);
  });
});
