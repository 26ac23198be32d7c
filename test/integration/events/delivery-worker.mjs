import { openDeliveryQueue } from '../../../dist/src/event-delivery/delivery-queue.js';

/** A worker that queues deliveries, takes them all and finishes none: to be killed with them in its hands. */
const { ids, ...settings } = JSON.parse(process.argv[2]);
const queue = await openDeliveryQueue({ ...settings, onError: () => undefined }, (id) => {
  process.stdout.write(`took ${id}\n`);
  return new Promise(() => undefined);
});
await queue.add(ids);
