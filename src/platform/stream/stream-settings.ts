/** Where events and commands are found at the broker. */
export const EVENT_SUBJECTS = 'checkout.events.>';
export const COMMAND_SUBJECT = 'checkout.commands';

export function eventSubject(type: string): string {
  return `checkout.events.${type}`;
}

export interface StreamSettings {
  readonly urls: readonly string[];
  readonly clientName: string;
  /** A message that was neither ended nor kept for so long is delivered again. */
  readonly ackWaitMs: number;
  readonly maxMessageBytes: number;
}
