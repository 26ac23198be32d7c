import { installFaultHandler } from '../common/fault-point.js';
import { ConfigurationError } from './config/app-config.js';

const SPEC = /^(?<point>[a-z:-]+)(?:#(?<hit>\d+))?=(?<action>kill|stop)(?<armed>@SIGUSR2)?$/;

/**
 * FAULT_POINT: `after-commit:create-order:execute=kill` ends this process at that point without any clean-up, `=stop`
 * pauses it until SIGCONT. `#2` means the second pass. `@SIGUSR2` counts from that signal on, so that a restarted
 * process can first recover what the previous one left. Production configuration refuses the variable.
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
