import { describeConformance } from './conformance.js';

describeConformance('redis');
