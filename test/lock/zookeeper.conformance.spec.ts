import { describeConformance } from './conformance.js';

describeConformance('zookeeper');
