import { ReservationEntity, ReservationLineEntity } from './inventory/reservation.entity.js';
import { SkuEntity } from './inventory/sku.entity.js';
import { StockMovementEntity } from './inventory/stock-movement.entity.js';

/** Every entity of the model: the application and the migration commands read the same list. */
export const entities = [SkuEntity, StockMovementEntity, ReservationEntity, ReservationLineEntity];
