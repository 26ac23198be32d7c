import { installFaultHandler } from '../common/fault-point.js';
import { ConfigurationError } from './config/app-config.js';

const SPEC = /^(?<point>[a-z:-]+)(?:#(?<hit>\d+))?=(?<action>kill|stop)(?<armed>@SIGUSR2)?$/;

/**
 * FAULT_POINT: `after-commit:create-order:execute=kill` ends this process there without a chance to clean up, `=stop`
 * pauses it until SIGCONT. `#2` is the second time that it passes; `@SIGUSR2` counts from that signal on, so that a
 * restarted process may first recover what the last one left. Production configuration refuses the variable.
 */
export function injectFault(spec: string, points: readonly string[]): void {
  const { point, hit = '1', action, armed } = SPEC.exec(spec)?.groups ?? {};
  if (point === undefined || !points.includes(point)) {
    throw new ConfigurationError(
      `Invalid configuration: FAULT_POINT=${spec}: must be <point>[#n]=kill|stop[@SIGUSR2] with one of ${points.join(', ')}`,
    );
  }
  let left = Number(hit);
  let isArmed = armed === undefined;
  const arm = () => {
    isArmed = true;
    process.stderr.write(`fault point armed: ${spec}\n`);
  };
  if (!isArmed) process.once('SIGUSR2', arm);
  installFaultHandler((passed) => {
    if (!isArmed || passed !== point || left === 0) return;
    left -= 1;
    if (left > 0) return;
    process.stderr.write(`fault point reached: ${spec}\n`);
    process.kill(process.pid, action === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  });
}
