from components.entry import run

run()
