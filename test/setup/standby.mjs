import 'reflect-metadata';
import '../../dist/src/start-service.js';

/** Everything is loaded; the program itself runs when the test says so, or never if the test is gone. */
const gone = () => process.exit(0);
process.once('disconnect', gone);
await new Promise((resolve) => process.once('message', resolve));
process.off('disconnect', gone);
process.disconnect();
