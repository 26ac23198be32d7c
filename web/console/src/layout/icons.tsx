import type { ReactNode } from 'react';
import { LineIcon } from '../../../common/line-icon.js';

const Icon = ({ children }: { children: ReactNode }) => <LineIcon size={18}>{children}</LineIcon>;

export const Logo = () => (
  <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden className="logo">
    <rect x="2" y="2" width="28" height="28" rx="8" className="logo-ground" />
    <path d="M8 17h4l2.500-7 4 13 2.500-6h3" className="logo-line" />
  </svg>
);
export const AttentionIcon = () => (
  <Icon>
    <path d="M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7" />
    <path d="M10 20a2.200 2.200 0 0 0 4 0" />
  </Icon>
);
export const OverviewIcon = () => (
  <Icon>
    <path d="M3 12h4l3-8 4 16 3-8h4" />
  </Icon>
);
export const OrdersIcon = () => (
  <Icon>
    <path d="M6 3h12v18l-3-2-3 2-3-2-3 2V3Z" />
    <path d="M9.500 8h5M9.500 12h5" />
  </Icon>
);
export const SagasIcon = () => (
  <Icon>
    <circle cx="5" cy="6" r="2" />
    <circle cx="19" cy="6" r="2" />
    <circle cx="12" cy="18" r="2" />
    <path d="M7 6h10M6 8l5 8M18 8l-5 8" />
  </Icon>
);
export const StockIcon = () => (
  <Icon>
    <path d="m12 3 8 4.500v9L12 21l-8-4.500v-9L12 3Z" />
    <path d="m4 7.500 8 4.500 8-4.500M12 12v9" />
  </Icon>
);
export const SalesIcon = () => (
  <Icon>
    <path d="M4 8a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v2a2 2 0 0 0 0 4v2a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-2a2 2 0 0 0 0-4V8Z" />
    <path d="M14 6v2.500M14 11v2M14 15.500V18" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3" />
  </Icon>
);
export const KeysIcon = () => (
  <Icon>
    <rect x="2.500" y="6" width="19" height="12" rx="2.500" />
    <path d="M6.500 10h.01M10.200 10h.01M13.800 10h.01M17.500 10h.01M8 14h8" />
  </Icon>
);
export const BulkIcon = () => (
  <Icon>
    <path d="M4 7h10M4 12h10M4 17h6" />
    <path d="m16 15 2.500 2.500L22 13" />
  </Icon>
);
export const TrailIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5l3.500 2" />
  </Icon>
);
export const ChecksIcon = () => (
  <Icon>
    <path d="M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6l-7-3Z" />
    <path d="m9 12 2 2 4-4" />
  </Icon>
);
export const SandboxIcon = () => (
  <Icon>
    <path d="M13 3 5 14h6l-1 7 8-11h-6l1-7Z" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.500" />
    <path d="m16 16 4.500 4.500" />
  </Icon>
);
export const LeaveIcon = () => (
  <Icon>
    <path d="M14 4h5v16h-5M10 12H3m0 0 3.500-3.500M3 12l3.500 3.500" />
  </Icon>
);
