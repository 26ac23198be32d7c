import { productOf } from './products.js';
import { seatOf } from './shows.js';

export interface LineText {
  readonly title: string;
  readonly detail: string;
  readonly picture: string;
  /** One of a kind: it has no quantity. */
  readonly isSeat: boolean;
}

/** How a line of a basket or an order is shown. */
export function lineText({ sku, name }: { sku: string; name?: string | undefined }): LineText {
  const seat = seatOf(sku);
  if (!seat) {
    const { picture, blurb } = productOf(sku);
    return { title: name ?? sku, detail: blurb, picture, isSeat: false };
  }
  const { show, row, number } = seat;
  return {
    title: show?.title ?? seat.group,
    detail: `Row ${row}, seat ${number}${show ? ` · ${show.when}` : ''}`,
    picture: show?.picture ?? productOf(sku).picture,
    isSeat: true,
  };
}

/** In a sentence. */
export function spokenName({ sku, name }: { sku: string; name?: string | undefined }): string {
  const seat = seatOf(sku);
  return seat ? `Seat ${seat.row}${seat.number}` : (name ?? sku);
}
