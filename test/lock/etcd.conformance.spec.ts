import { describeConformance } from './conformance.js';

describeConformance('etcd');
