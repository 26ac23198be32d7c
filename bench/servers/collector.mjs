// Takes what an OTLP exporter sends, counts its bytes and forgets it: GET / says how many.
import { createServer } from 'node:http';

let bytes = 0;
createServer((request, response) => {
  request.on('data', (chunk) => (bytes += chunk.length));
  request.on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify({ bytes })));
}).listen(Number(process.env.PORT), '127.0.0.1');
