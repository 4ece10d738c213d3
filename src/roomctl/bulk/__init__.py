"""Many operations, bounded, into a report with a row for each (promises R40, R43).

    file ──read_input, results_over──▶ Table ──plan──▶ rows to send ──run──▶ Report ──ResultsFile──▶ the next input

Bulk knows neither the client nor the journal: a job is a callable, made by the command that knows both.
"""

from roomctl.bulk.engine import Job, run
from roomctl.bulk.known import known_rows, resumed
from roomctl.bulk.problems import Problem
from roomctl.bulk.reading import Shape, parse, read_input, results_over
from roomctl.bulk.results import ResultsFile, unfinished
from roomctl.bulk.table import RESULT_COLUMNS, Mark, Plan, Report, Result, Row, Table, plan
from roomctl.contract.outcome import Outcome, Status

__all__ = ["RESULT_COLUMNS", "Job", "Mark", "Outcome", "Plan", "Problem", "Report", "Result", "ResultsFile"]
__all__ += ["Row", "Shape", "Status", "Table", "known_rows", "parse", "plan", "read_input", "resumed", "run"]
__all__ += ["results_over", "unfinished"]
