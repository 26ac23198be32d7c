import { ApiProperty } from '@nestjs/swagger';

export class HeldLockDto {
  @ApiProperty({ example: 'inventory:reserve:TSHIRT-M' })
  key!: string;

  @ApiProperty({ description: 'The instance and the number of its request', example: '3f9a1c0e7b2d.4f' })
  owner!: string;

  @ApiProperty({ description: 'Milliseconds since it was acquired' })
  ageMs!: number;

  @ApiProperty({ description: 'Milliseconds until it expires unless it is renewed' })
  ttlMs!: number;

  @ApiProperty({ description: 'Other instances that wait, and requests that wait inside the instance that answers' })
  waiters!: number;
}

export class HeldLocksDto {
  @ApiProperty({ type: [HeldLockDto] })
  items!: HeldLockDto[];
}
