/** Where a test may crash or pause a delivery: around its job, around the POST, and around the record of its answer. */
export const DELIVERY_FAULT_POINTS = [
  'before-call:webhook-queue',
  'after-call:webhook-queue',
  'before-call:webhook-delivery',
  'after-call:webhook-delivery',
  'before-commit:webhook-delivery',
  'after-commit:webhook-delivery',
];
