import { lazy, Suspense, useMemo } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { Announcer } from '../../../common/announcer.js';
import { useObservable } from '../../../common/observable.js';
import { useFreshStart } from '../../../common/use-fresh-start.js';
import { AttentionPage } from '../attention/attention-page.js';
import { Reading } from '../components/loading.js';
import { VerbHost } from '../components/verb-host.js';
import { LiveProvider } from '../session/live.js';
import { adminKey, createSession, SessionContext } from '../session/session.js';
import { SignIn } from '../session/sign-in.js';
import { ConnectionNotice } from './connection-notice.js';
import { Header } from './header.js';
import { Navigation } from './navigation.js';
import { Shortcuts } from './shortcuts.js';
import './layout.css';

/** What an operator opens first is loaded with the page, the rest when it is opened. */
const OverviewPage = lazy(async () => ({ default: (await import('../overview/overview-page.js')).OverviewPage }));
const OrdersPage = lazy(async () => ({ default: (await import('../orders/orders-page.js')).OrdersPage }));
const OrderPage = lazy(async () => ({ default: (await import('../orders/order-page.js')).OrderPage }));
const SagasPage = lazy(async () => ({ default: (await import('../sagas/sagas-page.js')).SagasPage }));
const SagaPage = lazy(async () => ({ default: (await import('../sagas/saga-page.js')).SagaPage }));
const StockPage = lazy(async () => ({ default: (await import('../stock/stock-page.js')).StockPage }));
const SkuPage = lazy(async () => ({ default: (await import('../stock/sku-page.js')).SkuPage }));
const SalesPage = lazy(async () => ({ default: (await import('../sales/sales-page.js')).SalesPage }));
const SalePage = lazy(async () => ({ default: (await import('../sales/sale-page.js')).SalePage }));
const BulkRunsPage = lazy(async () => ({ default: (await import('../bulk/bulk-runs-page.js')).BulkRunsPage }));
const BulkRunPage = lazy(async () => ({ default: (await import('../bulk/bulk-run-page.js')).BulkRunPage }));
const PlanPage = lazy(async () => ({ default: (await import('../bulk/plan-page.js')).PlanPage }));
const ChecksPage = lazy(async () => ({ default: (await import('../checks/checks-page.js')).ChecksPage }));
const TrailPage = lazy(async () => ({ default: (await import('../trail/trail-page.js')).TrailPage }));
const SandboxPage = lazy(async () => ({ default: (await import('../sandbox/sandbox-page.js')).SandboxPage }));
const SearchPage = lazy(async () => ({ default: (await import('../search/search-page.js')).SearchPage }));

export function App() {
  const key = useObservable(adminKey);
  const client = useMemo(() => (key === null ? null : createSession(key)), [key]);
  if (!client) return <SignIn />;
  return (
    <SessionContext value={client}>
      <Router base="/console">
        <LiveProvider>
          <Frame />
        </LiveProvider>
      </Router>
    </SessionContext>
  );
}

function Frame() {
  useFreshStart();
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <Header />
      <Navigation />
      <main id="main" tabIndex={-1}>
        <ConnectionNotice />
        <Suspense fallback={<Reading />}>
          <Views />
        </Suspense>
      </main>
      <VerbHost />
      <Shortcuts />
      <Announcer />
    </>
  );
}

function Views() {
  return (
    <Switch>
      <Route path="/" component={AttentionPage} />
      <Route path="/overview" component={OverviewPage} />
      <Route path="/orders" component={OrdersPage} />
      <Route path="/orders/:id">{({ id }) => <OrderPage key={id} id={id} />}</Route>
      <Route path="/sagas" component={SagasPage} />
      <Route path="/sagas/:id">{({ id }) => <SagaPage key={id} id={id} />}</Route>
      <Route path="/stock" component={StockPage} />
      <Route path="/stock/:sku">{({ sku }) => <SkuPage key={sku} sku={decodeURIComponent(sku)} />}</Route>
      <Route path="/sales" component={SalesPage} />
      <Route path="/sales/:id">{({ id }) => <SalePage key={id} id={decodeURIComponent(id)} />}</Route>
      <Route path="/bulk" component={BulkRunsPage} />
      <Route path="/bulk/new" component={PlanPage} />
      <Route path="/bulk/:id">{({ id }) => <BulkRunPage key={id} id={id} />}</Route>
      <Route path="/checks" component={ChecksPage} />
      <Route path="/trail" component={TrailPage} />
      <Route path="/sandbox" component={SandboxPage} />
      <Route path="/search" component={SearchPage} />
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  );
}
