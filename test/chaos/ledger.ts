import type { HttpAnswer } from './http-client.js';

export type CommandKind = 'checkout' | 'hold' | 'cancel' | 'capture' | 'refund' | 'adjustment' | 'entry';

/** One command of one client, under one Idempotency-Key, with everything that it was ever told about it. */
export interface Command {
  readonly kind: CommandKind;
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
  /** The order it is about; of a checkout, as soon as an answer names it. */
  orderId?: string | undefined;
  /** Answers that are final, in order of arrival: they must all say the same. */
  readonly finals: Final[];
  attempts: number;
  /** The client asked once more after the final answer, to see the replay. */
  replays: number;
  troubles: Record<string, number>;
}

export interface Final {
  readonly status: number;
  readonly code: string | undefined;
  readonly orderId: string | undefined;
  readonly resourceId: string | undefined;
}

/** What the clients know: the other book against which the service's own is checked. */
export class ClientLedger {
  readonly commands: Command[] = [];

  open(kind: CommandKind, key: string, path: string, body: unknown, orderId?: string): Command {
    const command: Command = { kind, key, path, body, orderId, finals: [], attempts: 0, replays: 0, troubles: {} };
    this.commands.push(command);
    return command;
  }
}

export function trouble(command: Command, what: string): void {
  command.troubles[what] = (command.troubles[what] ?? 0) + 1;
}

/** Whether this answer ends the command; a 5xx, a 202 and "in progress" do not. */
export function isFinal({ status, body }: HttpAnswer): boolean {
  if (status >= 500 || status === 202 || status === 429) return false;
  return body?.code !== 'IDEMPOTENCY_IN_PROGRESS';
}

export function finalOf({ status, body }: HttpAnswer): Final {
  const isProblem = status >= 400;
  return {
    status,
    code: isProblem ? String(body?.code) : undefined,
    orderId: isProblem ? body?.orderId : undefined,
    resourceId: isProblem ? undefined : body?.id,
  };
}
