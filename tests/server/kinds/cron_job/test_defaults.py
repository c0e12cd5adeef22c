from tests.server.defaults.support import POD_SPEC, defaulted_spec


def test_the_job_template_of_a_cron_job_gets_nothing_of_a_job() -> None:
    assert defaulted_spec("batch/v1", "CronJob", {"jobTemplate": {"spec": {"template": {"spec": {}}}}}) == {
        "concurrencyPolicy": "Allow",
        "suspend": False,
        "successfulJobsHistoryLimit": 3,
        "failedJobsHistoryLimit": 1,
        "jobTemplate": {"spec": {"template": {"spec": POD_SPEC}}},
    }
