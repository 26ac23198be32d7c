import { describeConformance } from './conformance.js';

describeConformance('postgres');
