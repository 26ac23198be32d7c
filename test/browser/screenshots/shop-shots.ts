import type { Page } from 'playwright-core';
import type { ApiClient } from '../../setup/api-client.js';
import { addToCart, checkOut, orderShown, payWith, SALT_ROADS } from '../lantern.js';
import { DARK, DESK, LIGHT, PHONE, type Shot } from './shot.js';

/** Other people hold and buy some seats, so that the map has all that its legend names. */
async function fillTheHall(api: ApiClient): Promise<void> {
  for (const seats of [
    ['C7', 'C8'],
    ['F4', 'F5', 'F6'],
    ['G11', 'G12'],
  ]) {
    const lines = seats.map((seat) => ({ sku: `cinema:show:67890:seat:${seat}`, quantity: 1 }));
    await api.post('/v1/reservations', { currency: 'EUR', lines });
  }
}

async function chooseSeats(page: Page): Promise<void> {
  for (const number of [6, 7]) await page.getByRole('button', { name: new RegExp(`^Row E, seat ${number},`) }).click();
  await page.getByRole('button', { name: 'Keep and pay' }).waitFor();
}

async function fillTheCart(page: Page): Promise<void> {
  await addToCart(page, 'Poster, signed');
  await addToCart(page, 'Mug');
  await checkOut(page);
}

const isHeld = (page: Page) => page.getByText('Kept for you.').waitFor();
const home = (page: Page) => page.getByRole('heading', { name: 'Mug' }).waitFor();
const seats = `/shop${SALT_ROADS}`;

/** In order: what is held in one is seen in the next. */
export const shopShots: readonly Shot[] = [
  { name: 'shop', path: '/shop', screen: { ...DESK, ...LIGHT }, until: home },
  { name: 'shop-phone', path: '/shop', screen: { ...PHONE, ...LIGHT }, until: home },
  { name: 'seats', path: seats, screen: { ...DESK, ...DARK }, before: fillTheHall, until: chooseSeats },
  { name: 'seats-phone', path: seats, screen: { ...PHONE, ...DARK }, until: chooseSeats },
  {
    name: 'checkout',
    path: '/shop',
    screen: { ...DESK, ...LIGHT },
    until: async (page) => {
      await fillTheCart(page);
      await payWith(page, 'Declined');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'checkout-phone',
    path: '/shop',
    screen: { ...PHONE, ...LIGHT },
    until: async (page) => {
      await fillTheCart(page);
      await isHeld(page);
    },
  },
  {
    name: 'order-phone',
    path: '/shop',
    screen: { ...PHONE, ...DARK },
    until: async (page) => {
      await fillTheCart(page);
      await payWith(page, 'Visa');
      await orderShown(page, 'It’s yours.');
    },
  },
  {
    name: 'drop',
    path: '/shop/drop',
    screen: { ...DESK, ...DARK },
    until: async (page) => {
      await page.getByRole('button', { name: /^Invite a crowd/ }).click();
      await page.getByText(/^1\d other people joined/).waitFor();
      await page.getByRole('button', { name: 'Join the queue' }).click();
      await page.getByText('Your place', { exact: true }).waitFor();
      await page.getByText(/[2-9] of them bought/).waitFor();
    },
  },
];
