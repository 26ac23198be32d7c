import type { ReactNode } from 'react';
import { LineIcon } from '../../../common/line-icon.js';

const Icon = ({ children }: { children: ReactNode }) => <LineIcon size={22}>{children}</LineIcon>;

export const BagIcon = () => (
  <Icon>
    <path d="M5 8h14l1 12H4L5 8Z" />
    <path d="M9 10V7a3 3 0 0 1 6 0v3" />
  </Icon>
);
export const GoodsIcon = () => (
  <Icon>
    <path d="M4 10h16v9H4zM3 6h18l-1 4H4L3 6Z" />
    <path d="M9 19v-5h6v5" />
  </Icon>
);
export const SeatIcon = () => (
  <Icon>
    <path d="M7 12V6a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v6" />
    <path d="M5 11a2 2 0 0 1 2 2v2h10v-2a2 2 0 0 1 4 0v5H3v-5a2 2 0 0 1 2-2ZM6 18v2M18 18v2" />
  </Icon>
);
export const DropIcon = () => (
  <Icon>
    <path d="M13 3 5 14h6l-1 7 8-11h-6l1-7Z" />
  </Icon>
);
export const OrdersIcon = () => (
  <Icon>
    <path d="M6 3h12v18l-3-2-3 2-3-2-3 2V3Z" />
    <path d="M9 8h6M9 12h6" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="m5 12.500 4.500 4.500L19 7.500" />
  </Icon>
);
export const Logo = () => (
  <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden>
    <path
      d="M8.500 4.500a3.500 3.500 0 0 1 7 0"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
    />
    <path d="M6 8.500 8 5.500h8l2 3v1.200H6ZM6.500 19.300h11v2.200h-11Z" fill="currentColor" />
    <path d="M7.500 9.700h9v9.600h-9Z" fill="none" stroke="currentColor" strokeWidth="1.6" />
    <path
      d="M12 11.500c2 2 2.700 3.200 2.700 4.600a2.700 2.700 0 0 1-5.400 0c0-1 .5-1.800 1-2.400.3.600.5.900.900.900.900 0 .700-1.700.800-3.100Z"
      className="flame"
    />
  </svg>
);
