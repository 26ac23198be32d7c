-- The least that a durable checkout writes: its key, the order, its lines, the stock, the payment.
CREATE TABLE stock (
  sku text PRIMARY KEY,
  on_hand integer NOT NULL CHECK (on_hand >= 0)
) WITH (fillfactor = 50);
-- For the rival with a row per unit.
CREATE TABLE units (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sku text NOT NULL,
  order_id uuid
) WITH (fillfactor = 50);
CREATE INDEX units_free ON units (sku) WHERE order_id IS NULL;
CREATE TABLE idempotency_keys (
  key text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  state text NOT NULL,
  currency char(3) NOT NULL,
  total bigint NOT NULL,
  customer_id text,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
CREATE TABLE order_lines (
  order_id uuid NOT NULL,
  sku text NOT NULL,
  quantity integer NOT NULL,
  unit_amount bigint NOT NULL
);
CREATE INDEX order_lines_by_order ON order_lines (order_id);
CREATE TABLE payments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  order_id uuid NOT NULL UNIQUE,
  state text NOT NULL,
  amount bigint NOT NULL,
  method text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80);

-- The whole checkout in one round trip: what the ceiling of a Node process calls. SKUs come sorted.
CREATE FUNCTION check_out(p_key text, p_customer text, p_skus text[], p_method text) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  v_order uuid;
BEGIN
  INSERT INTO idempotency_keys (key) VALUES (p_key);
  INSERT INTO orders (state, currency, total, customer_id)
    VALUES ('CONFIRMED', 'EUR', 1000 * cardinality(p_skus), p_customer) RETURNING id INTO v_order;
  INSERT INTO order_lines (order_id, sku, quantity, unit_amount) SELECT v_order, s, 1, 1000 FROM unnest(p_skus) AS s;
  FOR i IN 1 .. cardinality(p_skus) LOOP
    UPDATE stock SET on_hand = on_hand - 1 WHERE sku = p_skus[i] AND on_hand >= 1;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'out of stock' USING ERRCODE = 'check_violation';
    END IF;
  END LOOP;
  INSERT INTO payments (order_id, state, amount, method)
    VALUES (v_order, 'CAPTURED', 1000 * cardinality(p_skus), p_method);
  RETURN v_order;
END $$;
