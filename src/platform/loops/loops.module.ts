import { Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Loops } from './loops.js';

@Global()
@Module({ imports: [ScheduleModule.forRoot()], providers: [Loops], exports: [Loops] })
export class LoopsModule {}
