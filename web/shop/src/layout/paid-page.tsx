import { Redirect, useSearchParams } from 'wouter';

/** Where the bank's page leads back to. */
export function PaidPage() {
  const [params] = useSearchParams();
  const orderId = params.get('orderId');
  return <Redirect to={orderId === null ? '/orders' : `/orders/${encodeURIComponent(orderId)}`} replace />;
}
