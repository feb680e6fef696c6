#!/bin/bash
# The closing lines of `make test`: counts, and why each test was skipped.
set -eu
. tests/build/support.sh

cat > "$scratch/tests.xml" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++" tests="6" failures="1" disabled="1" skipped="3">
	<testcase name="math.Rotation.Exp" classname="math.Rotation.Exp" time="0.01" status="run">
		<properties/>
		<system-out>prints "status=" and : Skipped
</system-out>
	</testcase>
	<testcase name="shape.Hull.Flat&lt;T&gt;" classname="x" time="0.01" status="fail">
		<failure message=""/>
		<system-out>no</system-out>
	</testcase>
	<testcase name="load.Cassie" classname="x" time="0.01" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
		<system-out>[ RUN      ] load.Cassie
oracle.cpp:7: Skipped
no reference data: a &amp; b

[  SKIPPED ] load.Cassie</system-out>
	</testcase>
	<testcase name="load.Allegro" classname="x" time="0.01" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
		<system-out>oracle.cpp:7: Skipped
no reference data: a &amp; b
</system-out>
	</testcase>
	<testcase name="build.script" classname="x" time="0.01" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
		<system-out>SKIPPED: no tool</system-out>
	</testcase>
	<testcase name="load.Off" classname="x" time="0" status="disabled">
		<disabled message="Disabled"/>
		<system-out></system-out>
	</testcase>
	<testcase name="view_NOT_BUILT" classname="x" time="0" status="notrun">
		<skipped message="Unable to find executable: view_NOT_BUILT"/>
		<system-out>Unable to find executable: view_NOT_BUILT</system-out>
	</testcase>
</testsuite>
XML

expect_equal "summary" "skipped, no reference data: a & b:
    load.Cassie
    load.Allegro
skipped, no tool:
    build.script
skipped, disabled:
    load.Off
failed:
    shape.Hull.Flat<T>
    view_NOT_BUILT
1 passed, 2 failed, 4 skipped" "$(awk -f cmake/summarize_tests.awk "$scratch/tests.xml")"

finish
