// Loaded into the service by walk.mjs: answers every message with the coverage since the last one.
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('message', () => {
  void session.post('Profiler.takePreciseCoverage').then(({ result }) => process.send(result));
});
