"""`make bench`: every figure of docs/performance.md, in one run."""

from tests.bench import bench_engine

bench_engine.main()
