import { identityFromText, identityToText, parseTraceparent, toTraceparent } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  it('is read and written', () => {
    const context = { traceId: TRACE, spanId: SPAN, isSampled: true };
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual(context);
    expect(toTraceparent(context)).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-02`)).toEqual({ ...context, isSampled: false });
  });

  it('of a later version may have more members', () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-01-more`)?.traceId).toBe(TRACE);
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01-more`)).toBeUndefined();
  });

  it.each([
    undefined,
    ['00'],
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01\n`,
  ])('that is not valid counts as none: %j', (header) => expect(parseTraceparent(header)).toBeUndefined());
});

describe('a stored span', () => {
  it.each([
    { traceId: TRACE, spanId: SPAN, isSampled: true, parentId: '00f067aa0ba902b7' },
    { traceId: TRACE, spanId: SPAN, isSampled: false, parentId: undefined },
  ])('is read as it was written', (identity) => expect(identityFromText(identityToText(identity))).toEqual(identity));

  it('that is not readable is none', () => {
    expect(identityFromText(undefined)).toBeUndefined();
    expect(identityFromText('something')).toBeUndefined();
  });
});
