import camera from './pictures/camera.svg';
import heron from './pictures/heron.svg';
import lamp from './pictures/lamp.svg';
import lastOne from './pictures/last-one.svg';
import mug from './pictures/mug.svg';
import parcel from './pictures/parcel.svg';
import poster from './pictures/poster.svg';
import record from './pictures/record.svg';
import shirt from './pictures/shirt.svg';
import tote from './pictures/tote.svg';

export interface Product {
  readonly picture: string;
  readonly blurb: string;
}

/** Names and prices are the service's; the words around them are the shop's. */
const PRODUCTS: Readonly<Record<string, Product>> = {
  'demo-last-one': { picture: lastOne, blurb: 'The lantern from our first foyer. There is one.' },
  'demo-poster': { picture: poster, blurb: 'Screen print, 50 × 70 cm, signed by the artist.' },
  'demo-mug': { picture: mug, blurb: 'Stoneware that survives the late show.' },
  'demo-shirt': { picture: shirt, blurb: 'Heavy organic cotton, printed next door.' },
  'demo-lamp': { picture: lamp, blurb: 'For the book behind the film.' },
  'demo-record': { picture: record, blurb: 'Four overtures on 180 g vinyl.' },
  'demo-tote': { picture: tote, blurb: 'Carries a picnic, or the whole programme.' },
  'demo-camera': { picture: camera, blurb: 'Half-frame, fully mechanical.' },
};

const UNKNOWN: Product = { picture: parcel, blurb: '' };
const PRINT: Product = { picture: heron, blurb: 'Numbered print' };

export function productOf(sku: string): Product {
  return PRODUCTS[sku] ?? (sku.startsWith('demo-drop-') ? PRINT : UNKNOWN);
}

/** As they stand on the shelf; what the shop has no words for comes last. */
export function shelfPlace(sku: string): number {
  const place = Object.keys(PRODUCTS).indexOf(sku);
  return place === -1 ? Number.MAX_SAFE_INTEGER : place;
}
