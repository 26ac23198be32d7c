/**
 * Named places at which a test may crash or pause the process: before and after every commit and every remote call.
 * A no-op unless a handler was installed, which production configuration refuses.
 */
type FaultHandler = (point: string) => void | Promise<void>;

let handler: FaultHandler | undefined;

export function installFaultHandler(next: FaultHandler | undefined): void {
  handler = next;
}

export function faultPoint(point: string): void | Promise<void> {
  return handler?.(point);
}
