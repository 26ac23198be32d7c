import { Ago } from './ago.js';

/** Why, by whom and when: the end of every row about what an operator did. */
export function AuditCells({ reason, actor, at }: { reason: string; actor: string; at: string }) {
  return (
    <>
      <td data-label="Reason">{reason}</td>
      <td data-label="By">{actor}</td>
      <td data-label="When">
        <Ago at={at} />
      </td>
    </>
  );
}
