// Preloaded into an instance whose wall clock is to be wrong by CLOCK_SKEW_MS. The monotonic clock is right, as it is on
// a machine whose NTP is broken.
const skew = Number(process.env.CLOCK_SKEW_MS ?? 0);
const RealDate = Date;

if (skew !== 0) {
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + skew);
      else super(...args);
    }

    static now() {
      return RealDate.now() + skew;
    }
  };
}
