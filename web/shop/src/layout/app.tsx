import { Redirect, Route, Router, Switch } from 'wouter';
import { Announcer } from '../../../common/announcer.js';
import { HomePage } from '../catalogue/home-page.js';
import { CheckoutPage } from '../checkout/checkout-page.js';
import { DropPage } from '../drop/drop-page.js';
import { OrderPage } from '../orders/order-page.js';
import { OrdersPage } from '../orders/orders-page.js';
import { ShowPage } from '../seats/show-page.js';
import { type Shop, ShopContext } from '../shop.js';
import { ShopFooter } from './footer.js';
import { ShopHeader } from './header.js';
import { Notices } from './notices.js';
import { PaidPage } from './paid-page.js';
import { useFreshStart } from '../../../common/use-fresh-start.js';
import './layout.css';

export function App({ shop }: { shop: Shop }) {
  return (
    <ShopContext value={shop}>
      <Router base="/shop">
        <a className="skip-link" href="#main">
          Skip to the content
        </a>
        <ShopHeader />
        <Views hasDrop={shop.settings.hasDrop} />
        <ShopFooter />
        <Announcer />
      </Router>
    </ShopContext>
  );
}

function Views({ hasDrop }: { hasDrop: boolean }) {
  useFreshStart();
  return (
    <main id="main" tabIndex={-1}>
      <Notices />
      <Switch>
        <Route path="/" component={HomePage} />
        <Route path="/shows/:group">{({ group }) => <ShowPage key={group} group={decodeURIComponent(group)} />}</Route>
        <Route path="/checkout" component={CheckoutPage} />
        <Route path="/paid" component={PaidPage} />
        <Route path="/orders" component={OrdersPage} />
        <Route path="/orders/:id">{({ id }) => <OrderPage key={id} id={id} />}</Route>
        {hasDrop && <Route path="/drop" component={DropPage} />}
        <Route>
          <Redirect to="/" replace />
        </Route>
      </Switch>
    </main>
  );
}
