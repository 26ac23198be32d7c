import { faultPoint, installFaultHandler } from '../common/fault-point.js';
import { ConfigurationError } from './config/app-config.js';
import { injectFault } from './fault-injection.js';

const POINTS = ['before-commit:a:execute', 'after-commit:a:execute'];

describe('injectFault', () => {
  afterEach(() => installFaultHandler(undefined));

  it.each([
    '',
    'kill',
    'nowhere=kill',
    'before-commit:a:execute',
    'before-commit:a:execute=explode',
    'before-commit:a=kill',
  ])('refuses %p and says what it knows', (spec) => {
    expect(() => injectFault(spec, POINTS)).toThrow(ConfigurationError);
    expect(() => injectFault(spec, POINTS)).toThrow('after-commit:a:execute');
  });

  it('leaves other points, and passes before its turn, alone', () => {
    injectFault('before-commit:a:execute#3=kill', POINTS);
    expect(faultPoint('after-commit:a:execute')).toBeUndefined();
    expect(faultPoint('before-commit:a:execute')).toBeUndefined();
    expect(faultPoint('before-commit:a:execute')).toBeUndefined();
  });

  it('does nothing before it is armed', () => {
    injectFault('before-commit:a:execute=kill@SIGUSR2', POINTS);
    expect(faultPoint('before-commit:a:execute')).toBeUndefined();
    process.removeAllListeners('SIGUSR2');
  });
});
