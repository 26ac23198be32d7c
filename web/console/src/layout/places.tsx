import type { ReactNode } from 'react';
import {
  AttentionIcon,
  BulkIcon,
  ChecksIcon,
  OrdersIcon,
  OverviewIcon,
  SagasIcon,
  SalesIcon,
  SandboxIcon,
  StockIcon,
  TrailIcon,
} from './icons.js';

export interface Place {
  readonly href: string;
  readonly text: string;
  /** Behind `g`. */
  readonly key: string;
  readonly icon: ReactNode;
}

/** The views, in groups. */
export const PLACES: readonly (readonly Place[])[] = [
  [
    { href: '/', text: 'Needs a person', key: 'n', icon: <AttentionIcon /> },
    { href: '/overview', text: 'Overview', key: 'v', icon: <OverviewIcon /> },
  ],
  [
    { href: '/orders', text: 'Orders', key: 'o', icon: <OrdersIcon /> },
    { href: '/sagas', text: 'Sagas', key: 's', icon: <SagasIcon /> },
    { href: '/stock', text: 'Stock', key: 't', icon: <StockIcon /> },
    { href: '/sales', text: 'Flash sales', key: 'f', icon: <SalesIcon /> },
  ],
  [
    { href: '/bulk', text: 'Bulk runs', key: 'b', icon: <BulkIcon /> },
    { href: '/trail', text: 'Audit trail', key: 'a', icon: <TrailIcon /> },
    { href: '/checks', text: 'Checks', key: 'c', icon: <ChecksIcon /> },
    { href: '/sandbox', text: 'Sandbox', key: 'x', icon: <SandboxIcon /> },
  ],
];
