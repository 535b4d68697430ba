"""Did it read my files correctly? What was loaded, as rows; what is odd, with its remedy; and the way on."""

import streamlit as st

from ragdash.ui import checkup, frame, intake, load, mapping, session

frame.start()
workspace = session.workspace()
if session.lost():
    frame.lost()

if workspace is None or workspace.empty:
    load.welcome()
    intake.faults(workspace)
    mapping.ask(workspace)
    intake.uploaders(workspace)
    intake.looks()
else:
    frame.question("pages/data.py")
    experiment, why = load.experiment_of(workspace)
    findings = load.findings_of(experiment) if experiment else ()
    frame.answer(load.answer(workspace, experiment, why, findings))
    load.next_step(experiment)
    frame.told_words()
    intake.faults(workspace)
    mapping.ask(workspace)
    if experiment:
        checkup.set_aside(experiment)
    files, health = st.columns([6, 5], gap="large")
    with files:
        intake.files(workspace)
        with st.expander("Add files", icon=":material/add:", expanded=experiment is None):
            intake.uploaders(workspace)
            intake.looks()
    with health:
        checkup.applied(experiment)
        if experiment:
            checkup.health(findings, experiment)
        else:
            checkup.so_far(load.early(workspace))
frame.end()
