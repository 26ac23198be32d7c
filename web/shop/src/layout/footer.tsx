export function ShopFooter() {
  return (
    <footer className="footer">
      <p>
        Lantern is a demo: test cards, no money, no parcels. Behind it is <strong>checkout-saga</strong>, which never
        oversells, never charges twice and never forgets an order.
      </p>
      <p className="footer-links">
        <a href="/console">Operator’s console</a>
        <a href="/docs">API</a>
      </p>
    </footer>
  );
}
