import { announce } from '../../../common/announcer.js';
import { CopyIcon } from '../layout/icons.js';

interface Props {
  readonly text: string;
  /** What it is, for those who do not see it. */
  readonly what: string;
  readonly label?: string;
}

/** An id that people paste elsewhere. Browsers let a page copy only over HTTPS, and on one's own machine. */
export function CopyText({ text, what, label }: Props) {
  const canCopy = 'clipboard' in navigator;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    announce('Copied');
  };
  return (
    <span className="copy-text">
      {label !== undefined && <span className="quiet small">{label}</span>}
      <code>{text}</code>
      {canCopy && (
        <button
          type="button"
          className="copy-button"
          aria-label={`Copy the ${what}`}
          onClick={() => void copy().catch(() => announce('It could not be copied'))}
        >
          <CopyIcon />
        </button>
      )}
    </span>
  );
}
