import { describeConformance } from './conformance.js';

describeConformance('redlock');
