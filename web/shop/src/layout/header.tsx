import { Link, useLocation } from 'wouter';
import { useObservable } from '../../../common/observable.js';
import { ThemeToggle } from '../../../common/theme-toggle.js';
import { basketState } from '../basket/basket-state.js';
import { CartDrawer } from '../basket/cart-drawer.js';
import { HoldClock } from '../checkout/hold-clock.js';
import { SHOWS } from '../content/shows.js';
import { useShop } from '../shop.js';
import { DropIcon, GoodsIcon, Logo, OrdersIcon, SeatIcon } from './icons.js';

const FIRST_SHOW = `/shows/${encodeURIComponent(SHOWS[0]?.group ?? '')}`;

export function ShopHeader() {
  const { settings } = useShop();
  return (
    <header className="header">
      <div className="header-inner">
        <Link href="/" className="brand">
          <Logo />
          <span>Lantern</span>
        </Link>
        <nav className="nav" aria-label="Shop">
          <NavLink href="/" icon={<GoodsIcon />} text="Goods" />
          <NavLink href={FIRST_SHOW} prefix="/shows" icon={<SeatIcon />} text="Cinema" />
          {settings.hasDrop && <NavLink href="/drop" icon={<DropIcon />} text="Drop" />}
          <NavLink href="/orders" prefix="/orders" icon={<OrdersIcon />} text="Orders" />
        </nav>
        <div className="header-tools">
          <HoldPill />
          <ThemeToggle />
          <CartDrawer />
        </div>
      </div>
    </header>
  );
}

interface NavLinkProps {
  readonly href: string;
  readonly prefix?: string;
  readonly icon: React.ReactNode;
  readonly text: string;
}

function NavLink({ href, prefix, icon, text }: NavLinkProps) {
  const [location] = useLocation();
  const isHere = prefix === undefined ? location === href : location.startsWith(prefix);
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      {icon}
      <span>{text}</span>
    </Link>
  );
}

/** Wherever the buyer is: how long the stock is kept, and the way to pay for it. */
function HoldPill() {
  const { hold } = useObservable(basketState);
  const [location] = useLocation();
  if (!hold || location === '/checkout') return null;
  return (
    <Link href="/checkout" className="hold-pill">
      {hold.payment === undefined ? (
        <>
          <span className="hold-pill-text">Held for you</span> <HoldClock hold={hold} />
        </>
      ) : (
        'Payment under way'
      )}
    </Link>
  );
}
