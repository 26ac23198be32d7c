import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const [server = '127.0.0.1:4222', id = 'basket-4711', sku = 'demo-mug'] = process.argv.slice(2);
const command = { currency: 'EUR', lines: [{ sku, quantity: 1 }], payment: { method: 'pm_card_visa' } };

const connection = await connect({ servers: server });
const stored = await jetstream(connection).publish('checkout.commands', JSON.stringify(command), { msgID: id });
console.log(`stored as ${stored.seq} of ${stored.stream}`);
await connection.drain();
