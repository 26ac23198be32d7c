import keeper from './pictures/film-keeper.svg';
import salt from './pictures/film-salt.svg';

export interface Show {
  readonly group: string;
  readonly title: string;
  readonly picture: string;
  readonly when: string;
  readonly hall: string;
  readonly blurb: string;
  readonly runtime: string;
  /** Numbers after which the aisle runs. */
  readonly aisles: readonly number[];
}

export const SHOWS: readonly Show[] = [
  {
    group: 'cinema:show:67890',
    title: 'Salt Roads',
    picture: salt,
    when: 'Saturday, 20:15',
    hall: 'Great hall',
    blurb: 'A courier, a border and one long night. With the director.',
    runtime: '118 min',
    aisles: [4, 10],
  },
  {
    group: 'cinema:show:12345',
    title: 'The Keeper',
    picture: keeper,
    when: 'Tonight, 21:00',
    hall: 'Attic',
    blurb: 'Thirty-two seats, one projector, a storm outside.',
    runtime: '94 min',
    aisles: [4],
  },
];

const SEAT = /^(?<group>.+):seat:(?<row>[A-Z]+)(?<number>\d+)$/;

export interface SeatPlace {
  readonly show: Show | undefined;
  readonly group: string;
  readonly row: string;
  readonly number: number;
}

/** Where a seat is, if the SKU is one. */
export function seatOf(sku: string): SeatPlace | undefined {
  const { group, row, number } = SEAT.exec(sku)?.groups ?? {};
  if (group === undefined || row === undefined) return undefined;
  return { group, row, number: Number(number), show: showOf(group) };
}

export function showOf(group: string): Show | undefined {
  return SHOWS.find((show) => show.group === group);
}
